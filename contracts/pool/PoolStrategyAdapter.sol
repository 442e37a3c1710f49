// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.36;

import {ITreasuryPolicy} from "../lib/Interfaces.sol";
import {ReentrancyLock} from "../lib/ReentrancyLock.sol";
import {TokenMoves} from "../lib/TokenMoves.sol";

/// @notice The calls of the deposit pool that the adapter uses.
interface IPoolOfAdapter {
    function asset() external view returns (address);
    function balanceOf(address owner) external view returns (uint256);
    function convertToAssets(uint256 shares) external view returns (uint256);
    function bufferAssets() external view returns (uint256);
    function deposit(uint256 assets, address receiver) external returns (uint256 shares);
    function redeem(uint256 shares, address receiver, address owner) external returns (uint256 assets);
}

/// @title PoolStrategyAdapter
/// @notice Lends idle balances of the account contract to the deposit pool. All shares that it holds belong to the
///         account contract, which keeps the books of its accounts.
contract PoolStrategyAdapter is ReentrancyLock, TokenMoves {
    error Unauthorized();
    error ZeroAmount();

    ITreasuryPolicy public immutable policy;
    IPoolOfAdapter public immutable pool;
    address public immutable asset;
    bytes32 public immutable strategyId;

    modifier whenNotPaused() {
        if (policy.paused()) revert Unauthorized();
        _;
    }

    modifier onlySettler() {
        if (!policy.strategySettler(msg.sender)) revert Unauthorized();
        _;
    }

    constructor(address policy_, address pool_, bytes32 strategyId_) {
        policy = ITreasuryPolicy(policy_);
        pool = IPoolOfAdapter(pool_);
        asset = IPoolOfAdapter(pool_).asset();
        strategyId = strategyId_;
    }

    /// @notice Takes tokens of the caller and deposits them in the pool.
    function deposit(uint256 amount) external nonReentrant whenNotPaused onlySettler returns (uint256 sharesMinted) {
        if (amount == 0) revert ZeroAmount();
        _pull(asset, msg.sender, amount);
        _approveExactly(asset, address(pool), amount);
        sharesMinted = pool.deposit(amount, address(this));
    }

    /// @notice Redeems shares; the pool pays the recipient.
    function withdraw(uint256 shares, address recipient)
        external
        nonReentrant
        whenNotPaused
        onlySettler
        returns (uint256 assetsReturned)
    {
        if (shares == 0) revert ZeroAmount();
        assetsReturned = pool.redeem(shares, recipient, address(this));
    }

    /// @notice Value of all shares.
    function totalAssets() public view returns (uint256) {
        return pool.convertToAssets(totalShares());
    }

    /// @notice All shares of the adapter.
    function totalShares() public view returns (uint256) {
        return pool.balanceOf(address(this));
    }

    /// @notice What could be taken out now; the pool pays out of its buffer.
    function maxWithdraw(address) external view returns (uint256) {
        uint256 buffer = pool.bufferAssets();
        uint256 value = totalAssets();
        return value < buffer ? value : buffer;
    }

    /// @notice How the registry labels this source.
    function riskLabel() external pure returns (string memory) {
        return "deposit pool";
    }
}
