// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.36;

import {IERC20, ITreasuryPolicy} from "../lib/Interfaces.sol";
import {ReentrancyLock} from "../lib/ReentrancyLock.sol";
import {TokenMoves} from "../lib/TokenMoves.sol";

/// @title MockVDotAdapter
/// @notice A yield source of the local chain that answers at once. Its yield is a number, not tokens:
///         mint the same amount to this contract or later withdrawals cannot be paid.
contract MockVDotAdapter is ReentrancyLock, TokenMoves {
    uint256 public constant MAX_YIELD_BPS_PER_CALL = 500;

    event Deposited(address indexed account, uint256 assets, uint256 shares);
    event Withdrawn(address indexed account, address indexed recipient, uint256 shares, uint256 assets);
    event YieldSimulated(uint256 bps, uint256 oldTotalAssets, uint256 newTotalAssets);

    error Unauthorized();
    error ZeroAmount();
    error InsufficientShares();
    error NothingToAccrueOn();
    error YieldCapExceeded();

    ITreasuryPolicy public immutable policy;
    address public immutable asset;
    bytes32 public immutable strategyId;
    uint256 public totalAssets;
    uint256 public totalShares;
    mapping(address account => uint256) public shares;

    modifier whenNotPaused() {
        if (policy.paused()) revert Unauthorized();
        _;
    }

    modifier onlyOperator() {
        if (!policy.strategySettler(msg.sender)) revert Unauthorized();
        _;
    }

    constructor(address policy_, address asset_, bytes32 strategyId_) {
        policy = ITreasuryPolicy(policy_);
        asset = asset_;
        strategyId = strategyId_;
    }

    /// @notice Takes tokens of the caller; the first deposit sets the price to 1.
    function deposit(uint256 amount) external nonReentrant whenNotPaused onlyOperator returns (uint256 sharesMinted) {
        if (amount == 0) revert ZeroAmount();
        sharesMinted = totalShares == 0 ? amount : amount * totalShares / totalAssets;
        totalAssets += amount;
        totalShares += sharesMinted;
        shares[msg.sender] += sharesMinted;
        _pull(asset, msg.sender, amount);
        emit Deposited(msg.sender, amount, sharesMinted);
    }

    /// @notice Pays the value of the caller's shares to a recipient.
    function withdraw(uint256 sharesToBurn, address recipient)
        external
        nonReentrant
        whenNotPaused
        onlyOperator
        returns (uint256 assetsReturned)
    {
        if (sharesToBurn == 0) revert ZeroAmount();
        if (shares[msg.sender] < sharesToBurn) revert InsufficientShares();
        assetsReturned = sharesToBurn * totalAssets / totalShares;
        shares[msg.sender] -= sharesToBurn;
        totalShares -= sharesToBurn;
        totalAssets -= assetsReturned;
        _push(asset, recipient, assetsReturned);
        emit Withdrawn(msg.sender, recipient, sharesToBurn, assetsReturned);
    }

    /// @notice Raises the value of all shares.
    function simulateYieldBps(uint256 bps) external {
        if (msg.sender != policy.owner()) revert Unauthorized();
        if (bps == 0 || bps > MAX_YIELD_BPS_PER_CALL) revert YieldCapExceeded();
        if (totalAssets == 0) revert NothingToAccrueOn();
        uint256 previous = totalAssets;
        totalAssets = previous + previous * bps / 10_000;
        emit YieldSimulated(bps, previous, totalAssets);
    }

    /// @notice What an account could take out.
    function maxWithdraw(address account) external view returns (uint256) {
        return totalShares == 0 ? 0 : shares[account] * totalAssets / totalShares;
    }

    /// @notice How the registry labels this source.
    function riskLabel() external pure returns (string memory) {
        return "mock";
    }
}
