// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.36;

import {ICreditPool, PoolErrors} from "../lib/PoolInterfaces.sol";
import {PoolExits} from "./PoolExits.sol";

/// @notice Shares that secure a loan of the credit pool.
abstract contract PoolPledges is PoolExits {
    struct Pledge {
        address owner;
        uint256 shares;
        bool active;
    }

    event SharesPledged(address indexed owner, uint256 shares, bytes32 indexed loanId);
    event SharesReleased(address indexed owner, uint256 shares, bytes32 indexed loanId);
    event SharesSeized(
        address indexed owner, address indexed receiver, uint256 shares, uint256 assets, bytes32 loanId
    );

    error InvalidLoanId();
    error PledgeAlreadyExists();
    error PledgeNotFound();

    address public immutable creditPool;
    mapping(address owner => uint256) public pledgedShares;
    /// @notice A record is never deleted, so its id is never used again.
    mapping(bytes32 loanId => Pledge) public pledges;

    modifier onlyCreditPool() {
        if (msg.sender != creditPool) revert Unauthorized();
        _;
    }

    /// @dev The credit pool is deployed next, so it has no code yet.
    constructor(address creditPool_) {
        creditPool = creditPool_;
    }

    /// @notice Pledges shares of the caller for its next loan.
    function pledge(uint256 shares, bytes32 loanId) external {
        if (shares == 0) revert ZeroShares();
        if (loanId == bytes32(0) || loanId != ICreditPool(creditPool).previewLoanId(msg.sender)) revert InvalidLoanId();
        if (pledges[loanId].owner != address(0)) revert PledgeAlreadyExists();
        if (availableShares(msg.sender) < shares) revert InsufficientUnlockedShares();
        pledgedShares[msg.sender] += shares;
        pledges[loanId] = Pledge(msg.sender, shares, true);
        emit SharesPledged(msg.sender, shares, loanId);
    }

    /// @notice Gives pledged shares back to their owner.
    function release(bytes32 loanId) external onlyCreditPool {
        (address owner, uint256 shares) = _end(loanId);
        emit SharesReleased(owner, shares, loanId);
    }

    /// @notice Burns pledged shares and pays their value to a receiver; worthless shares are only burnt.
    function seize(bytes32 loanId, address receiver) external onlyCreditPool nonReentrant returns (uint256 assets) {
        if (receiver == address(0)) revert ZeroAddress();
        (address owner, uint256 shares) = _end(loanId);
        assets = convertToAssets(shares);
        _payOut(owner, receiver, shares, assets);
        emit SharesSeized(owner, receiver, shares, assets, loanId);
    }

    /// @inheritdoc PoolExits
    function availableShares(address account) public view override returns (uint256) {
        return balanceOf[account] - lockedShares[account] - pledgedShares[account];
    }

    /// @dev Locked shares are named before pledged ones.
    function _requireFree(address owner, uint256 shares) internal view override {
        super._requireFree(owner, shares);
        if (availableShares(owner) < shares) revert PoolErrors.SharesPledged();
    }

    function _end(bytes32 loanId) private returns (address owner, uint256 shares) {
        Pledge storage record = pledges[loanId];
        if (!record.active) revert PledgeNotFound();
        (owner, shares) = (record.owner, record.shares);
        record.active = false;
        pledgedShares[owner] -= shares;
    }
}
