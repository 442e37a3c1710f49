// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.36;

import {ITreasuryPolicy} from "../lib/Interfaces.sol";
import {IStrategyAdapterRegistry} from "../lib/StrategyInterfaces.sol";
import {ReentrancyLock} from "../lib/ReentrancyLock.sol";
import {TokenMoves} from "../lib/TokenMoves.sol";

/// @notice Positions, caller guards and owner settings of the custody contract.
abstract contract AccountBase is ReentrancyLock, TokenMoves {
    /// @dev The six numbers of one (account, asset). Token balance = sum of L + R + C + J, minus debt.
    struct Position {
        uint256 liquid;
        uint256 reserved;
        uint256 strategyAllocated;
        uint256 collateralLocked;
        uint256 jobStakeLocked;
        uint256 debtOutstanding;
    }

    event EscrowOperatorUpdated(address indexed escrowOperator, bool approved);
    event TreasuryAccountUpdated(address indexed previousTreasuryAccount, address indexed newTreasuryAccount);

    error Unauthorized();
    error ProtocolPaused();
    error UnsupportedAsset();
    error InsufficientLiquidity();
    error InsufficientReserved();
    error InvalidRecipient();
    error ZeroAmount();

    ITreasuryPolicy public immutable policy;
    IStrategyAdapterRegistry public immutable registry;
    address public treasuryAccount;
    mapping(address escrowOperator => bool) public escrowOperators;
    mapping(address account => mapping(address asset => Position)) public positions;

    modifier whenNotPaused() {
        _requireNotPaused();
        _;
    }

    modifier onlySupportedAsset(address asset) {
        _requireSupportedAsset(asset);
        _;
    }

    modifier onlyEscrow() {
        if (!escrowOperators[msg.sender]) revert Unauthorized();
        _;
    }

    modifier onlyPolicyOwner() {
        if (msg.sender != policy.owner()) revert Unauthorized();
        _;
    }

    modifier onlyAccountOrSettlementBroker(address account) {
        _requireAccountOrBroker(account);
        _;
    }

    constructor(address policy_, address registry_) {
        policy = ITreasuryPolicy(policy_);
        registry = IStrategyAdapterRegistry(registry_);
    }

    /// @notice Names the escrow contract that may settle reserves and stakes.
    function setEscrowOperator(address escrowOperator, bool approved) external onlyPolicyOwner {
        if (escrowOperator == address(0)) revert InvalidRecipient();
        escrowOperators[escrowOperator] = approved;
        emit EscrowOperatorUpdated(escrowOperator, approved);
    }

    /// @notice Names the account that receives slashed amounts; while it is zero such slashes revert.
    function setTreasuryAccount(address newTreasuryAccount) external onlyPolicyOwner {
        emit TreasuryAccountUpdated(treasuryAccount, newTreasuryAccount);
        treasuryAccount = newTreasuryAccount;
    }

    /// @dev Takes an amount from liquid. Only the part above the debt is spendable, so an account
    ///      without anything to spend is refused even for amount 0.
    function _spend(address account, address asset, uint256 amount) internal returns (Position storage position) {
        position = positions[account][asset];
        uint256 liquid = position.liquid;
        uint256 debt = position.debtOutstanding;
        if (liquid <= debt || liquid - debt < amount) revert InsufficientLiquidity();
        position.liquid = liquid - amount;
    }

    function _takeReserved(address account, address asset, uint256 amount)
        internal
        returns (Position storage position)
    {
        position = positions[account][asset];
        if (position.reserved < amount) revert InsufficientReserved();
        position.reserved -= amount;
    }

    function _requireNotPaused() internal view {
        if (policy.paused()) revert ProtocolPaused();
    }

    function _requireSupportedAsset(address asset) private view {
        if (!policy.approvedAssets(asset)) revert UnsupportedAsset();
    }

    function _requireAccountOrBroker(address account) private view {
        if (msg.sender != account && !policy.settlementBroker(msg.sender)) revert Unauthorized();
    }
}
